import { expect, test } from '@jest/globals';
import { recommendation } from '../../../scripts/models/recommend.ts';

const model = (name: string, personAp50: number | null, msPerFrame: number) => ({
  name,
  personAp50,
  msPerFrame,
});
const standard = model('standard', 0.632, 15);

test.each([
  ['nothing else', [standard], /^The default standard is the fastest/],
  ['a faster and equally accurate one', [standard, model('quick', 0.624, 9)], /^MODEL=quick is as accurate/],
  ['a faster and less accurate one', [standard, model('rough', 0.6, 5)], /^The default standard/],
  ['a faster one of unknown accuracy', [standard, model('new', null, 5)], /^The default standard/],
  ['a slower and more accurate one', [standard, model('large', 0.7, 50)], /^The default standard/],
  ['no default', [model('large', 0.7, 50)], /^Without standard there is nothing/],
])('beside the default: %s', (_, models, said) => {
  expect(recommendation(models, 'standard', [])).toMatch(said);
});

test('models that are not here can be pulled and compared', () => {
  const said = recommendation([standard], 'standard', ['one', 'two']);
  expect(said).toMatch(/\nTo compare one, two: `npm run models -- pull NAME`/);
});
