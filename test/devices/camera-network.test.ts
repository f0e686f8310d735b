import { expect, test } from '@jest/globals';
import { networkPolicy } from '../../src/devices/camera-network.ts';
import { loadConfig } from '../../src/platform/config.ts';

test('camera streams may not lead to the database, the image storage and the language model', () => {
  const config = loadConfig({
    DATABASE_URL: 'postgresql://user:password@Pooler.example:6432/shop',
    DIRECT_DATABASE_URL: 'postgres://user:password@database.example/shop',
    S3_ENDPOINT: 'https://images.example',
    S3_BUCKET: 'images',
    VLM_URL: 'http://model.example:8000/v1',
    VLM_MODEL: 'model',
    PUBLIC_URL: 'https://shop.example',
  });
  expect(networkPolicy(config).ownHosts).toEqual([
    { host: 'pooler.example', port: 6432 },
    { host: 'database.example', port: 5432 },
    { host: 'images.example', port: 443 },
    { host: 'model.example', port: 8000 },
  ]);
});
