import { z } from 'zod';
import { type AccessScope, SCOPES } from '../../ops/access.ts';
import { linkOf } from '../../ops/dashboard/links.ts';
import type { WayIn } from '../../ops/dashboard/sessions.ts';
import { type Operation, reach } from './daemon.ts';

/** A link to the dashboard that a person asks for. */
export interface LinkWish {
  readonly scope: AccessScope;
  /** For how long the link can be used again and again; null: once, within two minutes. */
  readonly ttlS: number | null;
  readonly note: string;
}

const isCode = readAs(z.object({ id: z.string(), code: z.string() }));

const isCodes = readAs(
  z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['link', 'code', 'session']),
      scope: z.enum(SCOPES),
      note: z.string(),
      expiresMs: z.number(),
      sessions: z.number(),
      token: z.enum(SCOPES),
      from: z.string().nullable(),
    }),
  ),
);

/** A new link, and the name under which a shared one can be revoked. Rejects as `clientOf` does. */
export async function makeLink(
  operation: Operation,
  { scope, ttlS, note }: LinkWish,
): Promise<{ readonly id: string; readonly link: string }> {
  const { client, url } = await reach(operation);
  const body = { scope, note, ...(ttlS === null ? {} : { ttlS }) };
  const { id, code } = await client.post({ path: '/codes', shape: isCode }, body);
  return { id, link: linkOf(url, code) };
}

/** The links, codes and sessions that still work. */
export async function waysIn(operation: Operation): Promise<readonly WayIn[]> {
  const { client } = await reach(operation);
  return client.get({ path: '/codes', shape: isCodes });
}

/** Ends a link, code or session, and every page that uses it. Rejects with TouchlineError `not_found` if there is none of that name. */
export async function revokeLink(operation: Operation, id: string): Promise<void> {
  const { client } = await reach(operation);
  const path = `/codes/${encodeURIComponent(id)}`;
  await client.remove({ path, shape: readAs(z.object({ revoked: z.string() })), names: true });
}

function readAs<T>(schema: z.ZodType<T>): (body: unknown) => body is T {
  return (body): body is T => schema.safeParse(body).success;
}
