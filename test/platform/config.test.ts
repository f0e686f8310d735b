import { describe, expect, test } from '@jest/globals';
import { describeConfig, loadConfig, requireDatabaseUrl } from '../../src/platform/config.ts';

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
