import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { API_ROUTES } from '../../src/app.ts';
import { kit } from './support.ts';

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  responses: Record<string, object>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
}

const { body } = await request(kit(API_ROUTES)).get('/api/v1/openapi.json');
const document = body as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('OpenAPI document', () => {
  test('has exactly the routes that are served', () => {
    expect(document.openapi).toBe('3.1.0');
    const served = API_ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(served.sort());
  });

  test('every operation has a name of its own, its path parameters, and the errors all can give', () => {
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = operation.parameters?.filter((parameter) => parameter.in === 'path') ?? [];
      expect(described.map(({ name }) => name)).toEqual(inPath);
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['401', '403', '429', '500', '503']),
      );
    }
  });
});
