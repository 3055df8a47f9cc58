# syntax=docker/dockerfile:1

FROM node:22-slim AS build
WORKDIR /carillon
COPY package.json package-lock.json .npmrc ./
# With the optional packages: the bundler of the console is one of them.
RUN npm ci
COPY . .
RUN npm run build

# Runtime dependencies only: no compiler, no Prisma CLI, no embedded PostgreSQL.
FROM node:22-slim AS dependencies
WORKDIR /carillon
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional
RUN npm sbom --omit=dev --omit=optional --sbom-format cyclonedx --sbom-type application > sbom.json

FROM node:22-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /carillon
COPY --from=dependencies /carillon/node_modules ./node_modules
COPY --from=dependencies /carillon/sbom.json ./
COPY --from=build /carillon/dist ./dist
COPY package.json openapi.yaml LICENSE ./
COPY prisma ./prisma
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["start"]
