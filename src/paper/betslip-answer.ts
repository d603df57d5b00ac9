/** The answer to a request that opens a betslip. */
import type { HttpAnswer } from '../ports/transport.ts';

interface BetslipFacts {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What is safe as one segment of a path. */
const ID = /^[\w-]{1,100}$/;

/** Null unless the answer says that a betslip is open, and names it. */
export function betslipFactsIn({ status, body }: HttpAnswer): BetslipFacts | null {
  if (status < 200 || status >= 300) return null;
  const fields = dataOf(body);
  const id = fields?.['betslip_id'];
  return fields !== null && typeof id === 'string' && ID.test(id) ? { id, fields } : null;
}

/** The answer about another betslip with these fields. */
export const answerAbout = (answer: HttpAnswer, fields: BetslipFacts['fields'], id: string): HttpAnswer => {
  const envelope = JSON.parse(answer.body) as object;
  return { ...answer, body: JSON.stringify({ ...envelope, data: { ...fields, betslip_id: id } }) };
};

function dataOf(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const { data } = JSON.parse(body) as { readonly data?: unknown };
    return typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}
