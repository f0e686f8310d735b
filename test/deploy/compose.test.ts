import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadConfig } from '../../src/platform/config.ts';
import { SECRET_VARIABLES } from '../../src/platform/environment.ts';
import { VARIABLES } from './known.ts';

interface Service {
  readonly build?: { readonly target: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly logging?: object;
}

const text = readFileSync('compose.yaml', 'utf8');
const { services, secrets } = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const all = Object.entries(services).map(([name, service]) => ({ name, service }));
const ours = all.filter(({ service }) => service.build);

test('the programs are there', () => {
  expect(ours.map(({ name }) => name)).toEqual(['migrate', 'api', 'worker-1', 'worker-2']);
});

test.each(all)('the log of $name is bounded', ({ service }) => {
  expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
});

test.each(all)('$name has secrets as files that it is given, never in a variable', ({ service }) => {
  const { environment = {}, secrets: given = [] } = service;
  const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
  for (const [, path] of files) expect(given.map((name) => `/run/secrets/${name}`)).toContain(path);
  expect(given.filter((name) => secrets[name] === undefined)).toEqual([]);
  for (const [name, value] of Object.entries(environment)) {
    // The name of an account is none, and MQTT_URL is optional: Docker Compose knows no optional file.
    if (SECRET_VARIABLES.includes(name)) expect(['analytics', `\${MQTT_URL:-}`]).toContain(value);
    expect(value).not.toMatch(/PASSWORD|SECRET/);
  }
});

test.each(ours)('the variables of $name are those of the programs', ({ service }) => {
  expect(Object.keys(service.environment!).filter((name) => !VARIABLES.has(name))).toEqual([]);
});

test('the commands at the top make secrets with which the programs start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compose-'));
  try {
    const lines = text.split('\n').map((line) => /^# {3}(.*)$/.exec(line)?.[1] ?? '');
    const commands = lines
      .slice(
        0,
        lines.findIndex((line) => line.startsWith('docker')),
      )
      .join('\n');
    execFileSync('/bin/sh', ['-euc', commands], { cwd: folder });
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('PUBLIC_URL=http://localhost:8080\n');
    const path = (name: string) => join(folder, secrets[name]!.file);
    expect(readdirSync(join(folder, 'secrets')).sort()).toEqual(Object.keys(secrets).sort());
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    for (const name of Object.keys(secrets)) expect(statSync(path(name)).mode & 0o777).toBe(0o644);
    const environment = services.api!.environment!;
    const placed = Object.entries(environment).map(([name, value]) => [
      name,
      name.endsWith('_FILE') ? path(value.replace('/run/secrets/', '')) : value.replace(/^\$\{.*$/, ''),
    ]);
    const config = loadConfig({
      ...Object.fromEntries(placed),
      ...{ NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:8080' },
    });
    const password = readFileSync(path('postgres_password'), 'utf8').trim();
    expect(config.databaseUrl).toBe(`postgresql://analytics:${password}@postgres:5432/analytics`);
    expect(config.s3SecretAccessKey).toBe(readFileSync(path('s3_secret'), 'utf8').trim());
    expect(config.urlSigningKey).toMatch(/^[0-9a-f]{64}$/);
    expect(config.encryptionKeys).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
