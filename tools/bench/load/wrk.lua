-- Requests are made ready before the clock runs; each takes the next address.
local requests, count, turn = {}, 0, 0

function init(args)
  for line in io.lines(args[1]) do
    count = count + 1
    requests[count] = line:gsub("\\r\\n", "\r\n")
  end
end

function request()
  turn = turn % count + 1
  return requests[turn]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"micros":%d,"refused":%d,"broken":%d,'
      .. '"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, e.status,
    e.connect + e.read + e.write + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
