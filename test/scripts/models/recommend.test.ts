import { expect, test } from '@jest/globals';
import { recommendation } from '../../../scripts/models/recommend.ts';

const card = (name: string, personAp50: number | null, data = 'pictures') => ({
  name,
  accuracy: personAp50 === null ? { personAp50, reason: 'no file' } : { personAp50, data },
});
const model = (name: string, personAp50: number | null, msPerFrame: number, data?: string) => ({
  ...card(name, personAp50, data),
  msPerFrame,
});
const standard = model('standard', 0.632, 15);

test.each([
  ['nothing else', [standard], /^The default standard is the fastest/],
  ['a faster and equally accurate one', [standard, model('quick', 0.622, 9)], /^quick is as accurate/],
  ['a faster and more accurate one', [standard, model('better', 0.7, 9)], /^better is as accurate/],
  ['a faster and less accurate one', [standard, model('rough', 0.621, 5)], /^The default standard/],
  ['a faster one of other pictures', [standard, model('other', 0.7, 5, 'others')], /^The default standard/],
  ['a faster one of unknown accuracy', [standard, model('new', null, 5)], /^The default standard/],
  ['a slower and more accurate one', [standard, model('large', 0.7, 50)], /^The default standard/],
  ['no default', [model('large', 0.7, 50)], /^Without standard there is nothing/],
])('beside the default: %s', (_, models, said) => {
  expect(recommendation(models, standard, [])).toMatch(said);
});

test('of the models that are not here the accurate ones can be pulled, and those of unknown accuracy measured', () => {
  const absent = [card('equal', 0.63), card('rough', 0.5), card('new', null), { name: 'bare' }];
  const said = recommendation([standard], standard, absent).split('\n');
  expect(said).toHaveLength(3);
  expect(said[1]).toMatch(/^As accurate, and not here: equal\. .*`npm run models -- pull NAME`/);
  expect(said[2]).toMatch(/unknown accuracy: new, bare\. /);
});
