/**
 * Part of the key under which converted models are cached. Raise it when the converter writes other bytes for the same
 * source and card; `test/models/convert/version.test.ts` fails where this was forgotten.
 */
export const CONVERTER_VERSION = 3;
