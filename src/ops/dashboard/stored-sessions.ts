import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SCOPES } from '../scopes.ts';

const scopeSchema = z.enum(SCOPES);

/** What made a code: the fingerprint of a token, and the names of the sessions between it and the code. */
const makerShape = {
  /** What no known token made has ended. */
  token: z.string().default(''),
  line: z.array(z.string()).default([]),
};

const codeSchema = z.object({
  id: z.string(),
  digest: z.string(),
  scope: scopeSchema,
  expiresMs: z.number(),
  isReusable: z.boolean(),
  note: z.string(),
  ...makerShape,
});

const sessionSchema = z.object({
  digest: z.string(),
  scope: scopeSchema,
  expiresMs: z.number(),
  /** The reusable code that it came from; null if its code worked once. */
  codeId: z.string().nullable(),
  note: z.string().default(''),
  ...makerShape,
});

/** Codes and sessions as a file keeps them. */
export const storedSchema = z.object({ codes: z.array(codeSchema), sessions: z.array(sessionSchema) });

export type StoredCode = z.infer<typeof codeSchema>;
export type StoredSession = z.infer<typeof sessionSchema>;

const ID_CHARACTERS = 8;

/** The digest of a code or token, from which nobody learns it. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The name of a code or session, by its digest. */
export const idOf = (digest: string): string => digest.slice(0, ID_CHARACTERS);
