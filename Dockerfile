# syntax=docker/dockerfile:1
# One build, three images: docker build --target api|worker|worker-gpu .
# Not run by Docker, because no engine was at hand. `npm run image` takes the steps of the stage `build` without Docker, and
# test/flows/built-programs.release.ts runs what it makes, with the variables, commands and health checks of the images.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# Also builds the web page and converts the embedded models, whose packages are development packages. `slim` removes what images do not
# use: libraries of other platforms, npm's ffmpeg and PostgreSQL, the studio of the Prisma command.
RUN npm run build && npm prune --omit=dev && node dist/scripts/image/slim.js

FROM node:24-bookworm-slim AS base
# All that the programs write is below DATA_DIR.
ENV NODE_ENV=production DATA_DIR=/data
# Metrics and health, for the network of the containers alone: publish no port for them.
ENV METRICS_HOST=0.0.0.0 METRICS_PORT=9464
EXPOSE 9464
WORKDIR /app
# Debian's ffmpeg, which is kept mended: the API asks new cameras with it, the workers read them.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/* \
  && mkdir /data && chown node:node /data
COPY --from=build --chown=root:root /app /app
USER node
VOLUME /data
STOPSIGNAL SIGTERM

FROM base AS api
ENV HOST=0.0.0.0 PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/api.js"]

FROM base AS worker
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/healthz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/worker.js"]

# GPUs by Vulkan: this image has the loader and Mesa's drivers (Intel, AMD; give the container /dev/dri). The driver of NVIDIA comes from
# the host's container toolkit, with NVIDIA_DRIVER_CAPABILITIES=all; it does not start without libegl1.
FROM worker AS worker-gpu
USER root
RUN apt-get update && apt-get install -y --no-install-recommends libvulkan1 libegl1 mesa-vulkan-drivers && rm -rf /var/lib/apt/lists/*
ENV NVIDIA_DRIVER_CAPABILITIES=all
USER node
