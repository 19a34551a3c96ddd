# The KV server, built from its published source.
FROM rust:1.94-bookworm AS build
RUN apt-get update \
    && apt-get install --no-install-recommends -y protobuf-compiler \
    && rm -rf /var/lib/apt/lists/*
RUN cargo install "denokv@0.14.0" --locked --root /opt/denokv

FROM debian:bookworm-slim
COPY --from=build /opt/denokv/bin/denokv /usr/local/bin/denokv
RUN useradd --system --uid 10001 denokv \
    && install -d -o denokv -g denokv -m 700 /data
USER denokv
VOLUME /data
EXPOSE 4512
# The access token is DENO_KV_ACCESS_TOKEN of its environment.
CMD ["denokv", "--sqlite-path", "/data/spotlight.sqlite", "serve", "--addr", "0.0.0.0:4512"]
