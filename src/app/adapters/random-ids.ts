import { randomUUID } from 'node:crypto';
import type { Ids } from '../../ports/ids.ts';

/** UUIDs from the machine's own randomness. */
export const randomIds: Ids = { uuid: () => randomUUID() };
