import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse, parseAllDocuments } from 'yaml';

const FOLDER = 'scripts/deploy';
const read = (file: string) => readFileSync(`${FOLDER}/${file}`, 'utf8');
const table = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^\| ([^|]+)\|/gm)].map(([, cell]) => cell!);

/** Names of the variables in `src/configuration.md`, and of metrics in `src/monitoring.md`. */
const VARIABLES = new Set(table('src/configuration.md').map((cell) => cell.trim()));
const METRICS = new Set(
  table('src/monitoring.md').flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!)),
);

interface Container {
  readonly command?: string[];
  readonly ports?: { name: string; containerPort: number }[];
  readonly env?: { name: string }[];
  readonly volumeMounts?: { name: string; mountPath: string }[];
  readonly [probe: `${string}Probe`]: { httpGet: { path: string; port: string } } | undefined;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { name: string };
  readonly data?: Record<string, string>;
  readonly spec?: {
    readonly selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    readonly ports?: { targetPort: string }[];
    readonly volumeClaimTemplates?: { metadata: { name: string } }[];
    readonly template?: {
      metadata: { labels: Record<string, string> };
      spec: { containers: Container[]; volumes?: { name: string }[] };
    };
  };
}

const manifests = readdirSync(`${FOLDER}/kubernetes`).flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`)).map((document) => {
    const manifest = document.toJS() as Manifest;
    return { name: `${file}: ${manifest.kind} ${manifest.metadata.name}`, faults: document.errors, manifest };
  }),
);
const containersOf = ({ spec }: Manifest): Container[] => spec?.template?.spec.containers ?? [];
const programs = manifests.filter(({ manifest }) => containersOf(manifest).length > 0);

describe('Kubernetes', () => {
  test.each(manifests)('$name fits the schema of its kind', async ({ manifest, faults }) => {
    expect(faults).toEqual([]);
    const kinds = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
      string,
      new (
        value: Manifest,
      ) => { validate(): void }
    >;
    const Kind = kinds[manifest.kind]!;
    new Kind(manifest).validate();
    const wrong = { ...manifest, metadata: { name: 7 } } as unknown as Manifest;
    expect(() => new Kind(wrong).validate()).toThrow();
  });

  test('there are API, workers and migration, and every set of pods may lose one at a time', () => {
    const kinds = manifests.map(({ manifest }) => `${manifest.kind} ${manifest.metadata.name}`).sort();
    expect(kinds).toEqual([
      'ConfigMap video-analytics',
      'Deployment video-analytics-api',
      'Job video-analytics-migrate',
      'PodDisruptionBudget video-analytics-api',
      'PodDisruptionBudget video-analytics-worker',
      'Service video-analytics-api',
      'Service video-analytics-worker',
      'StatefulSet video-analytics-worker',
    ]);
  });

  test('every selector finds the pods of its name', () => {
    const labels = new Map(
      programs.map(({ manifest }) => [manifest.metadata.name, manifest.spec!.template!.metadata.labels]),
    );
    const selecting = manifests.filter(({ manifest }) => manifest.spec?.selector);
    expect(selecting).toHaveLength(6);
    for (const { manifest } of selecting) {
      const { selector } = manifest.spec!;
      expect(selector!.matchLabels ?? selector).toEqual(labels.get(manifest.metadata.name));
    }
  });

  test('variables are those of the programs', () => {
    const used = [
      ...manifests.flatMap(({ manifest }) => Object.keys(manifest.data ?? {})),
      ...programs.flatMap(({ manifest }) =>
        containersOf(manifest).flatMap(({ env = [] }) => env.map(({ name }) => name)),
      ),
    ];
    expect(used).toContain('PUBLIC_URL');
    expect(used.filter((name) => !VARIABLES.has(name))).toEqual([]);
  });

  test('probes, services and mounts name ports and volumes that exist, and paths that the programs answer', () => {
    for (const { manifest } of programs) {
      const { volumes = [] } = manifest.spec!.template!.spec;
      const claims = manifest.spec!.volumeClaimTemplates ?? [];
      const volumeNames = [
        ...volumes.map(({ name }) => name),
        ...claims.map(({ metadata }) => metadata.name),
      ];
      for (const container of containersOf(manifest)) {
        const ports = (container.ports ?? []).map(({ name }) => name);
        for (const [name, value] of Object.entries(container)) {
          if (!name.endsWith('Probe')) continue;
          const { httpGet } = value as { httpGet: { path: string; port: string } };
          expect(['/healthz', '/readyz']).toContain(httpGet.path);
          expect(ports).toContain(httpGet.port);
        }
        for (const { name } of container.volumeMounts ?? []) expect(volumeNames).toContain(name);
      }
    }
    const image = readFileSync('Dockerfile', 'utf8');
    const ports = programs.flatMap(({ manifest }) =>
      containersOf(manifest).flatMap(({ ports = [] }) => ports),
    );
    expect(ports.length).toBeGreaterThan(2);
    for (const { containerPort } of ports) expect(image).toMatch(new RegExp(`EXPOSE ${containerPort}\\b`));
  });
});

describe('systemd', () => {
  const units = readdirSync(`${FOLDER}/systemd`).map((file) => ({ file, text: read(`systemd/${file}`) }));

  test.each(units)('$file starts a program of the build with variables that it knows', ({ file, text }) => {
    const settings = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const);
    const valuesOf = (name: string) => settings.filter(([key]) => key === name).map(([, value]) => value);
    const [command] = valuesOf('ExecStart');
    const [, program] = /^\/usr\/bin\/node (\S+\.js)/.exec(command!)!;
    const source = program!.replace(/^dist\/(.*)\.js$/, '$1.ts');
    expect({ file, source, exists: existsSync(source) }).toEqual({ file, source, exists: true });
    const variables = valuesOf('Environment').flatMap((line) =>
      line.split(' ').map((one) => one.split('=')[0]!),
    );
    expect(variables.filter((name) => !VARIABLES.has(name))).toEqual([]);
    const files = new Set(units.map((unit) => unit.file));
    const own = settings
      .flatMap(([, value]) => value.split(' '))
      .filter((word) => /^video-analytics-.*\.service$/.test(word));
    expect(own.filter((name) => !files.has(name))).toEqual([]);
    for (const hardening of ['NoNewPrivileges', 'ProtectSystem', 'PrivateTmp'])
      expect(valuesOf(hardening)).toHaveLength(1);
  });
});

/** @returns names of the metrics @throws Error when Prometheus would refuse the expression */
function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`wrong at ${from}: ${expression}`);
      if (type.name === 'Identifier') names.push(expression.slice(from, to));
    },
  });
  return names;
}
const known = (name: string) => METRICS.has(name) || METRICS.has(name.replace(/_(bucket|count|sum)$/, ''));

describe('Prometheus and Grafana', () => {
  const { groups } = parse(read('prometheus/alerts.yaml')) as {
    groups: {
      rules: {
        alert: string;
        expr: string;
        labels: { severity: string };
        annotations: Record<string, string>;
      }[];
    }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  const dashboard = JSON.parse(read('grafana/dashboard.json')) as {
    panels: { id: number; title: string; targets: { expr: string; refId: string }[] }[];
  };

  test('a wrong expression is refused', () => {
    expect(() => metricsIn('sum(rate(a[5m]')).toThrow('wrong at');
    expect(metricsIn('sum by (x) (rate(a{b="c"}[5m]))')).toEqual(['a']);
  });

  test.each(rules)(
    'the alert $alert asks for metrics that exist and says what to do',
    ({ expr, labels, annotations }) => {
      const metrics = metricsIn(expr);
      expect(metrics.length).toBeGreaterThan(0);
      expect(metrics.filter((name) => !known(name))).toEqual([]);
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations).toEqual({
        summary: expect.any(String),
        runbook: expect.stringMatching(/.{40,}\.$/),
      });
    },
  );

  test.each(dashboard.panels)('the panel "$title" asks for metrics that exist', ({ targets }) => {
    const metrics = targets.flatMap(({ expr }) => metricsIn(expr));
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((name) => !known(name))).toEqual([]);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  });

  test('panels have different ids and titles', () => {
    for (const of of ['id', 'title'] as const)
      expect(new Set(dashboard.panels.map((panel) => panel[of])).size).toBe(dashboard.panels.length);
  });
});
