/**
 * Writes docs/reference/admin-openapi.json, the description of the admin interface.
 *
 * Usage: node scripts/admin-openapi.ts
 */
import { writeFileSync } from 'node:fs';
import { adminDescription } from '../src/ops/admin-server.ts';
import { formatted } from './formatted.ts';
import { ACCESS, IDLE } from '../test/support/admin-serving.ts';

const PATH = new URL('../docs/reference/admin-openapi.json', import.meta.url);

/** The whole file, formatted. */
export async function adminOpenapi(): Promise<string> {
  return formatted('admin-openapi.json', JSON.stringify(await adminDescription(IDLE, ACCESS)));
}

if (import.meta.main) writeFileSync(PATH, await adminOpenapi());
