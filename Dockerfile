# syntax=docker/dockerfile:1
# The mock; the kit is in the same image: --entrypoint node IMAGE /app/dist/conformance-cli.js --base-url URL
FROM node:24-alpine AS build
WORKDIR /work
COPY . .
# The package as it is published, so that the image holds what its users install.
RUN npm ci --no-audit --no-fund \
 && npm pack --silent --pack-destination /tmp \
 && mkdir /app \
 && tar -xzf /tmp/casa-kit-*.tgz -C /app --strip-components=1 \
 && rm -rf /app/dist/types

FROM node:24-alpine
LABEL org.opencontainers.image.title="casa-kit" \
      org.opencontainers.image.description="A stateful mock and a conformance kit for the Content and Social Account service API" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /app /app
# The commands need no package manager, and a shell is the only other thing of the base that stays.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn*
USER node
WORKDIR /home/node
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "/app/dist/casa.js", "health"]
ENTRYPOINT ["node", "/app/dist/casa.js"]
CMD ["mock", "--host", "0.0.0.0"]
