import { describe, expect, test } from '@jest/globals';
import { PathTree } from '../../src/http/server/path-tree.ts';

const tree = new PathTree<string>();
for (const path of [
  '/tasks/{id}',
  '/tasks/statistics',
  '/insights/{id}/attributes',
  '/insights/attributes/stats',
  '/images/{day}/{name}',
]) {
  tree.add(path, path);
}

describe('the path tree', () => {
  test.each([
    ['/tasks/7', '/tasks/{id}', { id: '7' }],
    ['/tasks/statistics', '/tasks/statistics', {}],
    ['/insights/attributes/stats', '/insights/attributes/stats', {}],
    // The fixed segment leads nowhere: the parameter is tried.
    ['/insights/attributes/attributes', '/insights/{id}/attributes', { id: 'attributes' }],
    ['/images/2026-11-21/a.jpg', '/images/{day}/{name}', { day: '2026-11-21', name: 'a.jpg' }],
    ['/TASKS/Seven', '/tasks/{id}', { id: 'Seven' }],
    ['/tasks/7/', '/tasks/{id}', { id: '7' }],
    ['/tasks/%2F%20', '/tasks/{id}', { id: '/ ' }],
    ['/tasks/constructor', '/tasks/{id}', { id: 'constructor' }],
  ])('%s is %s', (path, value, params) => {
    expect(tree.find(path)).toEqual({ value, params });
  });

  test.each([
    '/',
    '',
    '/tasks',
    '/tasks/',
    '/tasks//',
    '/tasks/7/8',
    '//tasks/7',
    'tasks/7',
    '/__proto__',
    '*',
  ])('nothing stands at %p', (path) => expect(tree.find(path)).toBeUndefined());

  test('a parameter that does not decode', () => {
    expect(() => tree.find('/tasks/%E0%A4%A')).toThrow(URIError);
  });
});
