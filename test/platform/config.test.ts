import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { describeConfig, loadConfig, misspelt, requireDatabaseUrl } from '../../src/platform/config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('configuration', () => {
  test('has defaults for development', () => {
    expect(loadConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      leaseSeconds: 15,
      trustProxy: false,
    });
  });

  test('treats an empty variable as not set', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 8080 });
  });

  test('names every fault at once', () => {
    const load = () => loadConfig({ PORT: 'many', DATABASE_URL: 'mysql://x', ENCRYPTION_KEYS: 'a:short' });
    expect(load).toThrow(/DATABASE_URL: .*\n.*PORT: .*\n.*ENCRYPTION_KEYS: /);
  });

  test('names faults of combinations beside faults of single variables, but none that follows from another', () => {
    const message = (environment: NodeJS.ProcessEnv) => {
      try {
        loadConfig(environment, { program: true });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const several = message({
      PORT: 'many',
      NODE_ENV: 'production',
      S3_ENDPOINT: 'https://s3.example.com',
      WEBHOOK_CA_FILE: '/missing/ca.pem',
    });
    for (const name of [
      'PORT',
      'S3_BUCKET',
      'PUBLIC_URL',
      'ENCRYPTION_KEYS',
      'URL_SIGNING_KEY',
      'DATABASE_URL',
    ])
      expect(several).toContain(`\n  ${name}: `);
    const one = message({ DATABASE_URL: 'postgres://x', LEASE_SECONDS: 'few', RENEW_SECONDS: '100' });
    expect(one.match(/\n/g)).toHaveLength(1);
  });

  describe('secrets in files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-test-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const fileWith = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };

    test('a secret is read from its file, without the line end', () => {
      const DATABASE_URL_FILE = fileWith('database', 'postgresql://a:b@db/x\n');
      const VLM_API_KEY_FILE = fileWith('key', ' secret \n');
      expect(loadConfig({ DATABASE_URL_FILE, VLM_API_KEY_FILE })).toMatchObject({
        databaseUrl: 'postgresql://a:b@db/x',
        vlmApiKey: 'secret',
      });
    });

    test.each([
      [
        'both',
        { VLM_API_KEY: 'a', VLM_API_KEY_FILE: fileWith('both', 'a') },
        'VLM_API_KEY_FILE: give VLM_API_KEY or',
      ],
      ['no file', { VLM_API_KEY_FILE: join(folder, 'missing') }, 'missing cannot be read (ENOENT)'],
      ['a folder', { VLM_API_KEY_FILE: folder }, 'cannot be read (EISDIR)'],
      ['an empty file', { VLM_API_KEY_FILE: fileWith('empty', ' \n') }, 'is empty'],
      ['a large file', { VLM_API_KEY_FILE: fileWith('large', 'a'.repeat(200_000)) }, 'is too large'],
      [
        'a wrong secret',
        { DATABASE_URL_FILE: fileWith('wrong', 'mysql://x') },
        'DATABASE_URL: must look like',
      ],
    ])('%s is refused', (_, environment, message) => {
      expect(() => loadConfig(environment)).toThrow(message);
    });

    test('a file that cannot be read does not count as a secret that is missing', () => {
      const environment = { DATABASE_URL_FILE: join(folder, 'missing') };
      expect(() => loadConfig(environment, { program: true })).not.toThrow('DATABASE_URL: is not set');
      expect(() => loadConfig(environment, { program: true })).toThrow('ENOENT');
    });
  });

  test('a variable that almost has the name of one of ours is named', () => {
    const named = (name: string) => misspelt({ [name]: 'x' });
    for (const [wrong, meant] of [
      ['METRIC_PORT', 'METRICS_PORT'],
      ['IMAGES_RETENTION_DAYS', 'IMAGE_RETENTION_DAYS'],
      ['DATABASEURL', 'DATABASE_URL'],
      ['ENCRYPTION_KEY_FILE', 'ENCRYPTION_KEYS_FILE'],
      ['VLM_TIMOUT_SECONDS', 'VLM_TIMEOUT_SECONDS'],
      ['public_url', 'PUBLIC_URL'],
    ])
      expect(named(wrong!)).toEqual([`The variable ${wrong} is not read. Is ${meant} meant?`]);
    const others = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'PWD',
      'NODE_OPTIONS',
      'NODE_HOME',
      'OTEL_METRICS_EXPORTER',
      'PGPORT',
    ];
    for (const other of [
      ...others,
      'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
      'S3_BUCKET',
      'DATABASE_URL_FILE',
      'PORTS',
    ])
      expect(named(other)).toEqual([]);
  });

  test('requires secrets and the public address in production', () => {
    expect(() => loadConfig({ NODE_ENV: 'production' })).toThrow(
      /PUBLIC_URL.*\n.*ENCRYPTION_KEYS.*\n.*URL_SIGNING_KEY/,
    );
    const given = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://api.example.com',
      ENCRYPTION_KEYS: `b:${KEY},a:${KEY}`,
      URL_SIGNING_KEY: KEY,
    };
    expect(loadConfig(given).encryptionKeys?.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test.each([
    ['false', false],
    ['true', true],
    ['2', 2],
    ['10.0.0.0/8', '10.0.0.0/8'],
  ])('TRUST_PROXY %s', (text, value) => {
    expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toBe(value);
  });

  test('requires a lease that survives one failed renewal', () => {
    expect(() => loadConfig({ LEASE_SECONDS: '5', RENEW_SECONDS: '4' })).toThrow('at most half');
  });

  test('MIN_ANALYSIS_FPS must be a rate that a camera may have', () => {
    expect(loadConfig({}).minAnalysisFps).toBe(2);
    expect(loadConfig({ MIN_ANALYSIS_FPS: '2.5' }).minAnalysisFps).toBe(2.5);
    for (const wrong of ['0', '31', 'few'])
      expect(() => loadConfig({ MIN_ANALYSIS_FPS: wrong })).toThrow('MIN_ANALYSIS_FPS: ');
  });

  test('without DATABASE_URL the error says how to get a database', () => {
    expect(() => requireDatabaseUrl(loadConfig({}))).toThrow('npm run db');
  });

  test('every variable has a description', () => {
    expect(describeConfig().filter(({ meaning }) => meaning === '')).toEqual([]);
  });
});
