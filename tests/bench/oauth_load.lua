-- The line of requests, kept in the order in which they are to be asked.
local line, first, last = {}, 1, 0
local after, expected, addresses, address, network
-- wrk looks at one request before it begins.
local looked = false
-- Global, so that `done` can read it.
bad = 0

function init(args)
  local file = io.open(args[1])
  after, expected = file:read("*l"), file:read("*l")
  addresses, address = tonumber(file:read("*l")), tonumber(file:read("*l"))
  network = file:read("*l")
  for text in file:lines() do
    local head, body = text:match("^(.-)\t(.*)$")
    last = last + 1
    line[last] = { head:gsub("\\r\\n", "\r\n"), body }
  end
  file:close()
end

-- Any of them: in one line all differ by their last parameter alone.
local asked

local function written(entry)
  local head, body = entry[1], entry[2]
  local from = string.format("X-Forwarded-For: %s.%d.%d\r\n",
    network, math.floor(address / 256), address % 256)
  if body == "" then return head .. from .. "\r\n" end
  return head .. from .. "Content-Length: " .. #body .. "\r\n\r\n" .. body
end

function request()
  local entry = line[first]
  if entry == nil then error("Cannot ask: all that was made ahead has been used up") end
  if not looked then
    looked = true
    return written(entry)
  end
  line[first] = nil
  first = first + 1
  address = (address + 1) % addresses
  if after == "repeat" then
    last = last + 1
    line[last] = entry
  end
  asked = entry
  return written(entry)
end

function response(status, _, body)
  if status ~= 200 or not body:find(expected, 1, true) then
    bad = bad + 1
  elseif after == "refresh" then
    local token = body:match('"refresh_token":"([^"]+)"')
    local start = asked[2]:match("^(.*&refresh_token=)")
    last = last + 1
    line[last] = { asked[1], start .. token }
  end
end

local thread

function setup(one)
  thread = one
end

function done(summary, latency)
  io.write(string.format(
    'RESULT {"answers":%d,"bad":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f}\n',
    summary.requests - thread:get("bad"), thread:get("bad"),
    summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
