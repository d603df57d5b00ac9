/** The exchange's endpoints that the client calls, each with the HTTP status of success. */
export const ENDPOINTS = {
  'GET /v2/balance/': 200,
  'GET /v2/xrates/': 200,
  'GET /v2/events/': 200,
  'GET /v2/offers/': 200,
  'GET /v2/sports/{sport}/bet_types/{bet_type}/': 200,
  'GET /v2/betslips/': 200,
  'POST /v2/betslips/': 201,
  'GET /v2/betslips/{betslip_id}/': 200,
  'POST /v2/betslips/{betslip_id}/refresh/': 200,
  'DELETE /v2/betslips/{betslip_id}/': 200,
  'GET /v2/orders/': 200,
  'POST /v2/orders/': 201,
  'GET /v2/orders/{order_id}/': 200,
  'GET /v2/orders/tracked/{uuid}/': 200,
  'GET /v2/orders/updates/': 200,
  'GET /v2/orders/position/': 200,
  'POST /v2/orders/{order_id}/close/': 200,
  'POST /v2/orders/close_many/': 200,
  'POST /v2/orders/close_all/': 202,
  'GET /v2/heartbeats/': 200,
  'POST /v2/heartbeats/': 200,
  'GET /v2/heartbeats/{heartbeat_id}/': 200,
  'POST /v2/heartbeats/{heartbeat_id}/refresh/': 200,
  'DELETE /v2/heartbeats/{heartbeat_id}/': 200,
} as const;

/** Method and documented path of an endpoint. */
export type Endpoint = keyof typeof ENDPOINTS;

/** Outcomes of a request besides success that its metrics show from the start: throttled, not sent, no answer. */
const FAILURES = ['429', 'not-sent', 'unknown'];

/** Endpoints with the outcomes that their metrics show from the start. */
export const KNOWN_OUTCOMES = Object.entries(ENDPOINTS).flatMap(([endpoint, status]) =>
  [String(status), ...FAILURES].map((outcome) => ({ endpoint, outcome })),
);
