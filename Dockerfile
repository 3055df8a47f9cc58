# The image of Node, for all stages. A tag can be moved; a digest cannot. Pin it for production:
#   docker buildx imagetools inspect node:22-slim --format '{{.Manifest.Digest}}'
#   docker build --build-arg NODE_IMAGE=node:22-slim@sha256:... .
ARG NODE_IMAGE=node:22-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /carillon
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
COPY clients/typescript/package.json clients/typescript/
RUN npm ci
COPY . .
RUN npm run build

# Runtime dependencies only: no compiler, no Prisma CLI, no embedded PostgreSQL.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /carillon
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional
COPY scripts/sbom.mjs scripts/
RUN node scripts/sbom.mjs --omit optional > sbom.json

FROM ${NODE_IMAGE}
# No package manager in the image: nothing installs anything at run time.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg
# The flag (Node 22.14 or later) keeps the debugger off from the first instruction; src/platform/config/no-debugger.ts does so a moment later.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 NODE_OPTIONS=--disable-sigusr1
WORKDIR /carillon
COPY --from=dependencies /carillon/node_modules ./node_modules
COPY --from=dependencies /carillon/sbom.json ./
COPY --from=build /carillon/dist ./dist
COPY package.json openapi.yaml LICENSE ./
COPY prisma ./prisma
# By number: Kubernetes checks `runAsNonRoot` only for numbers. All files belong to root, and the service writes none: the root can be read-only.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["start"]
