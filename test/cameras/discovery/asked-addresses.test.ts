import { describe, expect, test } from '@jest/globals';
import { askedAddresses } from '../../../src/cameras/discovery/asked-addresses.ts';

describe('the addresses of a network', () => {
  test.each([
    ['192.168.1.0/24', 256, '192.168.1.0', '192.168.1.255'],
    ['192.168.1.77/24', 256, '192.168.1.0', '192.168.1.255'],
    ['10.0.0.200/29', 8, '10.0.0.200', '10.0.0.207'],
    ['10.0.0.5/32', 1, '10.0.0.5', '10.0.0.5'],
  ])('%s', (network, count, first, last) => {
    const asked = askedAddresses(network);
    const addresses = 'addresses' in asked ? asked.addresses : [];
    expect([addresses.length, addresses[0], addresses.at(-1)]).toEqual([count, first, last]);
    expect(new Set(addresses).size).toBe(count);
  });

  test.each([
    '',
    '10.0.0.0',
    '10.0.0.0/8',
    '10.0.0.0/23',
    '10.0.0.0/33',
    '10.0.0/24',
    '256.0.0.0/24',
    '010.0.0.0/24',
    'fd00::/120',
    '10.0.0.0/24 ',
    'localhost/24',
  ])('%j is refused', (network) => {
    expect(askedAddresses(network)).toEqual({ fault: expect.stringContaining('192.168.1.0/24') });
  });
});
