import type { z } from 'zod';

/** What the document says of an endpoint; the schemas are those that validate its requests. */
export interface DescribedEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  /** HTTP status of success. */
  readonly status: number;
  readonly marketData: boolean;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
}
