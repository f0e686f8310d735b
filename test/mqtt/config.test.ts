import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../src/platform/config.ts';

const read = (text: string) => loadConfig({ MQTT_URL: text }).mqttUrl;

describe('MQTT_URL', () => {
  test('has a host, and where not told the usual port', () => {
    expect(loadConfig({}).mqttUrl).toBeUndefined();
    expect(read('mqtt://broker.local')).toEqual({
      host: 'broker.local',
      port: 1883,
      tls: false,
      login: null,
    });
    expect(read('mqtts://[fd00::1]:8884/')).toMatchObject({ host: 'fd00::1', port: 8884, tls: true });
    expect(read('mqtts://broker')).toMatchObject({ port: 8883 });
    expect(read('mqtt://shop:p%40ss@broker')).toMatchObject({ login: { user: 'shop', password: 'p@ss' } });
    expect(read('mqtt://shop@broker')).toMatchObject({ login: { user: 'shop', password: '' } });
  });

  test.each([
    ['http://broker', 'must look like mqtt://'],
    ['broker:1883', 'must look like mqtt://'],
    ['mqtt://', 'must look like mqtt://'],
    ['mqtt://shop:sesame@broker/topic', 'MQTT_PREFIX'],
    ['mqtt://:sesame@broker', 'has a password without a user'],
    ['mqtt://shop:100%sesame@broker', 'written as %25'],
  ])('%s is refused with a sentence that has no password', (text, words) => {
    expect(() => read(text)).toThrow(words);
    expect(() => read(text)).toThrow(/^(?!.*sesame)/s);
  });
});

test('prefixes are levels of topics without wildcards', () => {
  expect(loadConfig({}).mqttPrefix).toBe('video-analytics-service');
  expect(loadConfig({ MQTT_PREFIX: 'shop/cameras' }).mqttPrefix).toBe('shop/cameras');
  for (const prefix of ['shop/#', '+', '/shop', 'shop/', 'two words', '$SYS/x'])
    expect(() => loadConfig({ MQTT_PREFIX: prefix })).toThrow('MQTT_PREFIX: ');
  expect(() => loadConfig({ MQTT_USER_IDS: 'shop' })).toThrow('MQTT_USER_IDS');
});
