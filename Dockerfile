# Touchline in a container: no root, no npm and no shell between the signal and the daemon.
#
#   docker build -t touchline .
#   docker run --rm --stop-timeout 60 -v ./touchline.toml:/etc/touchline/touchline.toml:ro \
#     -v touchline:/var/lib/touchline -e TOUCHLINE_API_KEY touchline
#
# Without --stop-timeout Docker kills the daemon ten seconds after `docker stop`, while it may still close its orders.

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /opt/touchline
COPY package.json package-lock.json .npmrc ./
# The optional packages are a Node for machines that have none; this image has one.
RUN npm ci --omit=dev --omit=optional

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production TOUCHLINE_JOURNAL=/var/lib/touchline/journal.sqlite
WORKDIR /opt/touchline
COPY --from=packages /opt/touchline/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY config config
COPY src src
COPY strategies strategies
RUN install -d -o node -g node -m 0700 /var/lib/touchline

USER node
VOLUME /var/lib/touchline
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "require('node:http').get(`http://127.0.0.1:${process.env.TOUCHLINE_OPS_PORT || 9464}/healthz`, (r) => process.exit(r.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "src/cli/main.ts"]
CMD ["run", "--config", "/etc/touchline/touchline.toml"]
