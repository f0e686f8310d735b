// Imports point one way, and each third-party package has one home. The layers are those of the README's map.
const LAYERS = [
  ['catalogue'],
  ['platform'],
  ['http'],
  ['audit'],
  ['images'],
  ['vision'],
  ['simulator', 'models'],
  ['video'],
  ['access'],
  ['waits'],
  ['metrics'],
  ['alerts'],
  ['delivery'],
  ['billing'],
  ['cameras'],
  ['attributes', 'insights'],
  ['lanes'],
  ['runs'],
  ['privacy'],
  ['analytics'],
  ['mqtt'],
];

const oneWay = LAYERS.flatMap((layer, at) => {
  const above = LAYERS.slice(at + 1).flat();
  return above.length === 0
    ? []
    : [
        {
          name: `${layer.join('-')}-imports-nothing-above`,
          severity: 'error',
          from: { path: `^src/(${layer.join('|')})/` },
          to: { path: `^src/(${above.join('|')})/` },
        },
      ];
});

const home = (name, packages, homes) => ({
  name: `${name}-has-one-home`,
  severity: 'error',
  from: { path: '^src/', pathNot: homes },
  to: { path: packages.map((p) => `^node_modules/${p}(/|$)`) },
});

module.exports = {
  forbidden: [
    ...oneWay,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'vision-is-pure',
      comment: 'vision knows no database, HTTP, jobs, environment',
      severity: 'error',
      from: { path: '^src/vision/' },
      to: { path: '^src/(?!vision/|catalogue/)' },
    },
    {
      name: 'catalogue-is-pure',
      comment: 'the page and the service share it: it knows nothing else',
      severity: 'error',
      from: { path: '^src/catalogue/' },
      to: { path: '^src/(?!catalogue/)' },
    },
    {
      name: 'waits-are-pure',
      comment: 'the same computation serves a running scene, a log and a plan for tomorrow',
      severity: 'error',
      from: { path: '^src/waits/' },
      to: { path: '^src/(?!waits/|catalogue/)' },
    },
    {
      name: 'nobody-imports-a-program',
      severity: 'error',
      from: { path: '^(src|models|scripts)/' },
      to: { path: '^src/(api|worker|lane|measure)\\.ts$' },
    },
    {
      name: 'client-stands-alone',
      comment: 'the client is packed without the service, and the service does not call itself',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^src/(?!client/)' },
    },
    {
      name: 'nobody-imports-the-client',
      severity: 'error',
      from: { path: '^src/(?!client/|page/)' },
      to: { path: '^src/client/' },
    },
    {
      name: 'page-imports-only-the-client-and-the-catalogue',
      comment: 'the page runs in browsers: nothing of the service, nothing of Node',
      severity: 'error',
      from: { path: '^src/page/' },
      to: { path: '^src/(?!page/|client/|catalogue/)' },
    },
    {
      name: 'page-uses-nothing-of-node',
      severity: 'error',
      from: { path: '^src/page/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'nobody-imports-the-page',
      severity: 'error',
      from: { path: '^(src/(?!page/)|scripts/)' },
      to: { path: '^src/page/' },
    },
    home('page-packages', ['react', 'react-dom', 'wouter', '@tanstack/react-query', 'uplot'], ['^src/page/']),
    home('vite', ['vite'], ['^src/page/vite-env\\.d\\.ts$']),
    home(
      'opentelemetry',
      [
        '@opentelemetry/api',
        '@opentelemetry/exporter-trace-otlp-http',
        '@opentelemetry/resources',
        '@opentelemetry/sdk-trace-base',
      ],
      ['^src/platform/tracing/otlp\\.ts$'],
    ),
    home('openapi-fetch', ['openapi-fetch'], ['^src/client/']),
    {
      name: 'src-imports-no-tools-scripts-or-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(models|scripts|test)/' },
    },
    {
      name: 'tools-of-models-know-only-models',
      comment: 'they make the files that the room `models` opens, and know no database, HTTP or camera',
      severity: 'error',
      from: { path: '^models/' },
      to: { path: '^(scripts|test|src/(?!models/|platform/(config|project)\\.ts$))' },
    },
    {
      name: 'scorers-of-visits-are-independent',
      comment: 'code that scores visits must not share code with the code that produces them',
      severity: 'error',
      from: {
        path: '^(scripts/evaluate/(shop/|matching/|alerts/truth|visits/dwell)|src/cameras/scenes/checks/times/(assign|match-spans|true-visit))',
      },
      to: { path: '^src/(vision|metrics)/' },
    },
    home('express', ['express'], ['^src/http/', 'routes\\.ts$', '^src/api\\.ts$']),
    home('pg', ['@prisma/client', '@prisma/adapter-pg', 'pg'], ['^src/platform/database/']),
    {
      name: 'prisma-has-one-home',
      comment: 'only stores make queries; everybody may use the types of rows and the constants in enums.ts',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/platform/', '\\.store\\.ts$'] },
      to: {
        path: '^src/platform/prisma-client/',
        pathNot: '/enums\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    home('nodemailer', ['nodemailer'], ['^src/platform/mail/']),
    home('mqtt', ['mqtt'], ['^src/mqtt/']),
    home('web-push', ['web-push'], ['^src/delivery/notifications/channels/']),
    home('pg-boss', ['pg-boss'], ['^src/platform/jobs/queue\\.ts$']),
    home('onnxruntime', ['onnxruntime-node', 'onnx-proto'], ['^src/models/']),
    home('ffmpeg', ['fluent-ffmpeg'], ['^src/video/']),
    home('fast-xml-parser', ['fast-xml-parser'], ['^src/video/onvif/xml\\.ts$']),
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'src/platform/prisma-client'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
