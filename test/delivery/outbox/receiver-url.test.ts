import { describe, expect, test } from '@jest/globals';
import { faultInReceiverUrl } from '../../../src/delivery/outbox/receiver-url.ts';
import { isPublicAddress } from '../../../src/platform/network/network-policy.ts';

describe('the address of a webhook', () => {
  test.each([
    'https://hooks.example.com/a?b=c#d',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://xn--bcher-kva.example/',
    'HTTPS://HOOKS.EXAMPLE.COM',
  ])('%s is taken', (url) => {
    expect(faultInReceiverUrl(url, [])).toBeNull();
  });

  test.each([
    ...[
      'http://hooks.example.com/',
      'ftp://hooks.example.com/',
      'hooks.example.com',
      '',
      'https://',
      'javascript:1',
    ],
    ...[
      'https://user:pw@hooks.example.com/',
      'https://hooks.example.com/a b',
      'https://hooks.example.com/\n',
    ],
    ...[
      'https://localhost/',
      'https://a.localhost/',
      'https://LOCALHOST./',
      'https://printer.local/',
      'https://db/',
    ],
    ...['https://metadata.google.internal/', 'https://router.home.arpa/', 'https://localhost.localdomain/'],
    ...[
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://0177.0.0.1/',
    ],
    ...[
      'https://127.0.0.1./',
      'https://１２７.0.0.1/',
      'https://0/',
      'https://0.0.0.0/',
      'https://255.255.255.255/',
    ],
    ...[
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://100.64.0.1/',
      'https://100.100.100.200/',
    ],
    ...[
      'https://169.254.169.254/',
      'https://192.0.2.1/',
      'https://198.18.0.1/',
      'https://224.0.0.1/',
      'https://240.0.0.1/',
    ],
    ...[
      'https://[::1]/',
      'https://[::]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[fe80::1]/',
    ],
    ...[
      'https://[fc00::1]/',
      'https://[fd00:ec2::254]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[2002:7f00:1::]/',
    ],
    ...['https://[ff02::1]/', 'https://[2001::1]/', 'https://[2001:db8::1]/', 'https://[::127.0.0.1]/'],
  ])('%j is refused', (url) => {
    expect(faultInReceiverUrl(url, [])).toEqual(expect.any(String));
  });

  test('the operator can allow hosts by name, also without TLS', () => {
    const opened = ['hooks.local', '10.0.0.1', '::1'];
    for (const url of ['https://hooks.local/', 'https://10.0.0.1:8443/', 'https://[::1]/x']) {
      expect(faultInReceiverUrl(url, opened)).toBeNull();
    }
    for (const url of ['http://hooks.local/', 'http://10.0.0.1:5678/webhook', 'HTTP://[::1]/x'])
      expect(faultInReceiverUrl(url, opened)).toBeNull();
    expect(faultInReceiverUrl('ftp://hooks.local/', opened)).toContain('https://');
    expect(faultInReceiverUrl('http://hooks.example.com/', opened)).toMatch(/https:.*WEBHOOK_ALLOW_HOSTS/);
    expect(faultInReceiverUrl('https://a.hooks.local/', opened)).not.toBeNull();
  });

  test.each(['https://10.0.0.9/', 'https://nas.local/', 'https://n8n/', 'http://192.168.1.5:5678/'])(
    'the refusal of %s names the variable that allows it',
    (url) => expect(faultInReceiverUrl(url, [])).toContain('WEBHOOK_ALLOW_HOSTS'),
  );

  test('text that is not an address is not a public address', () => {
    expect([isPublicAddress('hooks.example.com'), isPublicAddress('1.1.1.1')]).toEqual([false, true]);
  });
});
