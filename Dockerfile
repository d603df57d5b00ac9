# Touchline in a container: no root, no npm and no shell between the signal and the daemon. A small init is the first process,
# because the kernel ignores the signal with which the first process ends itself when a strategy hangs.
#
#   docker build -t touchline .
#   docker run --rm --read-only --tmpfs /tmp --stop-timeout 60 -v ./touchline.toml:/etc/touchline/touchline.toml:ro \
#     -v touchline:/var/lib/touchline -e TOUCHLINE_API_KEY touchline
#
# Without --stop-timeout Docker kills the daemon ten seconds after `docker stop`, while it may still close its orders.

# The digest is that of the image for all platforms: the same build everywhere, whatever the name means later.
ARG BASE=node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553

FROM $BASE AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc tsconfig.json PACKAGE.md LICENSE CHANGELOG.md CONTRIBUTING.md ./
# The compilers are optional packages of this platform, so all packages are installed.
RUN npm ci
COPY bin bin
COPY config config
COPY docs docs
COPY observability observability
COPY scripts scripts
COPY src src
COPY strategies strategies
COPY systemd systemd
# The image has the Node that the package would bring.
RUN npm run package && npm install --omit=optional --prefix /opt/touchline ./dist/touchline-*.tgz

FROM $BASE
# The init passes on signals and the exit code.
RUN apt-get update && apt-get install --yes --no-install-recommends 'tini=0.19.0-*' && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production TOUCHLINE_JOURNAL=/var/lib/touchline/journal.sqlite
# With few arenas, threads use again what others have freed.
ENV MALLOC_ARENA_MAX=2
# Bounds the part of the heap for short-lived objects.
ENV NODE_OPTIONS=--max-semi-space-size=4
ENV PATH=/opt/touchline/node_modules/.bin:$PATH
WORKDIR /opt/touchline
COPY --from=package /opt/touchline/node_modules node_modules
RUN install -d -o node -g node -m 0700 /var/lib/touchline

USER node
VOLUME /var/lib/touchline
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "require('node:http').get(`http://127.0.0.1:${process.env.TOUCHLINE_OPS_PORT || 9464}/healthz`, (r) => process.exit(r.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--disable-sigusr1", "node_modules/touchline/lib/main.js"]
CMD ["run", "--config", "/etc/touchline/touchline.toml"]
