import { expect, test } from '@jest/globals';
import { networkPolicy } from '../../../src/cameras/devices/camera-network.ts';
import { loadConfig } from '../../../src/platform/config.ts';

test('camera streams may not lead to the database, nor to any server that the service uses', () => {
  const config = loadConfig({
    DATABASE_URL: 'postgresql://user:password@Pooler.example:6432/shop',
    DIRECT_DATABASE_URL: 'postgres://user:password@database.example/shop',
    S3_ENDPOINT: 'https://images.example',
    S3_BUCKET: 'images',
    VLM_URL: 'http://model.example:8000/v1',
    VLM_MODEL: 'model',
    SMTP_URL: 'smtp://user:password@mail.example',
    MAIL_FROM: 'shop@shop.example',
    MQTT_URL: 'mqtts://user:password@broker.example',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
    METRICS_HOST: '192.168.7.9',
    METRICS_PORT: '9464',
    PUBLIC_URL: 'https://shop.example',
  });
  expect(networkPolicy(config).ownHosts).toEqual([
    { host: 'pooler.example', port: 6432 },
    { host: 'database.example', port: 5432 },
    { host: 'images.example', port: 443 },
    { host: 'model.example', port: 8000 },
    { host: 'collector.example', port: 4318 },
    { host: 'mail.example', port: 587 },
    { host: 'broker.example', port: 8883 },
    { host: '192.168.7.9', port: 9464 },
  ]);
});
