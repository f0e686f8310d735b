import { expect, test } from '@jest/globals';
import { linkOf } from '../../../src/page/enter/link.ts';

test.each([
  ['/', '', null, '/'],
  ['/scenes/7', 'tab=floor', null, '/scenes/7?tab=floor'],
  ['/enter', '', null, '/'],
  ['/enter', 'code=abc', 'abc', '/'],
  ['/setup', 'code=abc', 'abc', '/'],
  ['/cameras/7/setup', 'code=abc', 'abc', '/cameras/7/setup'],
  ['/wall', 'site=3&code=abc', 'abc', '/wall?site=3'],
  ['/wall', 'code=', '', '/wall'],
])('%s?%s has the code %p and leads to %s', (place, query, code, to) => {
  expect(linkOf(place, query)).toEqual({ code, to, isSetup: place === '/setup' });
});
