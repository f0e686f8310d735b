import { expect, test } from '@jest/globals';
import { clientNetwork } from '../../src/http/server/client-network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:bbbb::2', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['not an address', 'unknown'],
  [undefined, 'unknown'],
])('a client with address %s is counted as %s', (ip, network) => {
  expect(clientNetwork(ip)).toBe(network);
});
