// The package `@jest/globals` throws when Node imports it outside of Jest's own module system.
const GLOBALS = new URL('./jest-globals.mjs', import.meta.url).href;

export const resolve = (specifier, context, next) =>
  specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context);
