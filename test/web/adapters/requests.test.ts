import { describe, expect, it } from 'vitest';
import { answerIn } from '../../../src/web/adapters/requests.ts';

const BODY = { error: 'why' };

describe('a response', () => {
  it.each([200, 201, 400, 401, 403, 404, 409, 413, 429])('%i is an answer', async (status) => {
    const answer = await answerIn(Response.json(BODY, { status }));
    expect(answer).toEqual({ status, ok: status < 300, body: BODY });
  });

  it.each([500, 501, 502, 503, 504, 507, 520, 599])(
    '%i is no answer, so the command is sent again',
    async (status) => {
      await expect(answerIn(Response.json(BODY, { status }))).rejects.toThrow(
        `the daemon failed (${status})`,
      );
    },
  );

  it.each(['', '<html>Bad gateway</html>'])('with other text than JSON is no answer: %j', async (text) => {
    await expect(answerIn(new Response(text, { status: 200 }))).rejects.toThrow(SyntaxError);
  });
});
