import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { SECRET_VARIABLES } from '../../src/platform/environment.ts';
import { folderOf, read, VARIABLES } from './known.ts';

interface Container {
  readonly command?: string[];
  readonly ports?: { name: string; containerPort: number }[];
  readonly env?: { name: string }[];
  readonly envFrom?: object[];
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

const manifests = readdirSync(folderOf('kubernetes')).flatMap((file) =>
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

  test('secrets are files of a volume that every program has, and no variables', () => {
    const [settings] = manifests.filter(({ manifest }) => manifest.kind === 'ConfigMap');
    const data = Object.entries(settings!.manifest.data!);
    expect(data.filter(([name]) => SECRET_VARIABLES.includes(name))).toEqual([]);
    const files = data.filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([name]) => name)).toEqual([
      'DATABASE_URL_FILE',
      'ENCRYPTION_KEYS_FILE',
      'URL_SIGNING_KEY_FILE',
    ]);
    for (const [name, path] of files)
      expect(path).toBe(`/run/secrets/video-analytics/${name.replace(/_FILE$/, '')}`);
    for (const { manifest } of programs) {
      const [secrets] = manifest.spec!.template!.spec.volumes!;
      expect(secrets).toEqual({
        name: 'secrets',
        secret: { secretName: 'video-analytics', defaultMode: 0o440 },
      });
      for (const { envFrom, volumeMounts } of containersOf(manifest)) {
        expect(envFrom).toEqual([{ configMapRef: { name: 'video-analytics' } }]);
        expect(volumeMounts).toContainEqual({
          ...{ name: 'secrets', mountPath: '/run/secrets/video-analytics', readOnly: true },
        });
      }
    }
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
