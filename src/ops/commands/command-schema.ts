/** The parts that commands share: who gave one and why, when a wish ends, and the options of a route. */
import type { FastifyRequest } from 'fastify';
import type { AccessScope } from '../access.ts';

/** Longer reasons are cut. */
export const LONGEST_REASON = 500;
export const LONGEST_NAME = 100;
/** The author of a command that names none. */
export const UNNAMED_AUTHOR = 'admin interface';

export const REASON = { type: 'string', minLength: 1, maxLength: LONGEST_REASON, pattern: '\\S' } as const;
export const BY = { type: 'string', minLength: 1, maxLength: LONGEST_NAME } as const;
/** A name, a unique part of one, or an id. */
export const NAME = { type: 'string', minLength: 1, maxLength: 200 } as const;

/** When a wish ends by itself. */
export const ENDING = {
  minutes: { type: 'integer', minimum: 1, maximum: 10_080, description: 'It ends by itself after so long.' },
  untilStart: { const: true, description: 'It ends at the start of the event that is announced now.' },
} as const;

/** A wish has one end at most. */
export const NOT_BOTH_ENDS = { required: ['minutes', 'untilStart'] } as const;

/** Options of a route: the scope that it needs, and its description for programs. */
export const described = <S extends object>(scope: AccessScope, what: string, schema: S) => ({
  config: { scope },
  schema: { ...schema, summary: what, description: `Needs the ${scope} token.` },
});

/** Options of a route that only reports. */
export const reading = (what: string) => described('read', what, {});

/** Who gave a command, for the record: the name that the command gives, and the access that it used. */
export const authorOf = ({ access, ip }: FastifyRequest, by: string | undefined): string =>
  access === null ? (by ?? UNNAMED_AUTHOR) : `${by ?? UNNAMED_AUTHOR} (${access} token, ${ip})`;
