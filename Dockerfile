# Quod with its embedded Rocq, installed from the package as a user would. Build: docker build -t quod .
# Run on the files of the current folder: docker run --rm -v "$PWD:/work" quod prove FILE.v
FROM node:24-bookworm-slim AS package
WORKDIR /quod
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /package

FROM node:24-bookworm-slim
COPY --from=package /package /package
RUN npm install --global --no-audit --no-fund /package/quod-*.tgz && rm -r /package
USER node
WORKDIR /work
ENTRYPOINT ["quod"]
