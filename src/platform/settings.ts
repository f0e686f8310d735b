import { resolve } from 'node:path';
import { z } from 'zod';

/** Kinds of values of environment variables. */

export const number = (defaultValue: number, min: number, max: number) =>
  z.coerce.number().min(min).max(max).default(defaultValue);
export const count = (defaultValue: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(defaultValue);
export const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''));
export const folderIn = (project: string) => z.string().transform((path) => resolve(project, path));
export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must look like postgresql://user:password@host:5432/database');
/** `id:key,…`, keys of 32 bytes in base64. */
export const encryptionKeys = z.string().transform((text, context) =>
  text.split(',').map((part) => {
    const [, id, encoded] = /^\s*([A-Za-z0-9]{1,16}):(\S+)\s*$/.exec(part) ?? [];
    const key = Buffer.from(encoded ?? '', 'base64');
    if (!id || key.length !== 32) {
      context.addIssue({
        code: 'custom',
        message: 'must be id:key,… with keys of 32 bytes in base64 (`openssl rand -base64 32`)',
      });
    }
    return { id: id ?? '', key };
  }),
);
