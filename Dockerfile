# Posthorn in a container: Debian, an ordinary user, no build step. The database comes by DATABASE_URL (see compose.yaml), or
# is embedded in the volume /data where none is given.
# Pinned by its content: docs/container.md says how to take a newer one.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
FROM ${NODE_IMAGE}

ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app

COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
# The server runs on the Node that comes along as a package, as on every other platform; the image's own installs it.
ENV PATH=/app/node_modules/.bin:$PATH

COPY bin bin
COPY migrations migrations
COPY src src
# The commands over HTTP, and the SDK that they use as it is.
COPY cli cli
COPY sdk sdk
COPY dashboard dashboard
# The build of the dashboard reads it, since its own tsconfig.json extends it.
COPY tsconfig.json ./
# So that the first start need not, and nothing is written into the image's file system later.
RUN node bin/posthorn.js dashboard build

# So that `docker compose exec posthorn posthorn …` runs a command.
RUN ln -s /app/bin/posthorn.js /usr/local/bin/posthorn && install -d -o node -g node -m 700 /data /app/.compiled
USER node
VOLUME /data

# Node keeps here what it compiles, for each user apart. A start then takes half the processor time.
ENV NODE_COMPILE_CACHE=/app/.compiled
RUN node --input-type=module -e "await Promise.all([import('./cli/src/run.ts'), import('./src/cli/run.ts'), import('./src/main.ts')])"

# HTTP; submission with STARTTLS and with TLS from the start, to be mapped to 587 and 465; returned mail, to be mapped to 25.
EXPOSE 3000 2587 2465 2525

HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Node itself is process 1 and gets the stop signal; what is in flight has 10 s.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "bin/posthorn.js"]
CMD ["serve"]
