/** The machine-readable description of the exchange (specification, Versioning), made from its own schemas. */
import { z } from 'zod';
import type { SimResponse } from '../core/api.ts';
import { commonErrors, ERROR_COMPONENTS, errorsOf } from './errors.ts';
import { type ResourceName, RESOURCES, streamFrame } from './resources.ts';
import { toYaml } from './yaml.ts';

type Json = Readonly<Record<string, unknown>>;

/** An endpoint as the document describes it. The schemas are those that validate its requests. */
export interface DescribedEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path, with parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  /** HTTP status of success. */
  readonly status: number;
  readonly marketData: boolean;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
}

/** The resource that answers each request. */
const ANSWERS: Readonly<Record<string, ResourceName>> = {
  'GET /v2/betslips/': 'BetslipIds',
  'POST /v2/betslips/': 'Betslip',
  'GET /v2/betslips/{betslip_id}/': 'QuotedBetslip',
  'DELETE /v2/betslips/{betslip_id}/': 'Nothing',
  'POST /v2/betslips/{betslip_id}/refresh/': 'Nothing',
  'GET /v2/orders/': 'Orders',
  'POST /v2/orders/': 'Order',
  'GET /v2/orders/{order_id}/': 'Order',
  'GET /v2/orders/updates/': 'Orders',
  'GET /v2/orders/tracked/{uuid}/': 'Order',
  'POST /v2/orders/{order_id}/close/': 'Nothing',
  'POST /v2/orders/close_many/': 'CloseManyResult',
  'POST /v2/orders/close_all/': 'ClosedOrders',
  'GET /v2/orders/position/': 'Position',
  'POST /v2/orders/position/': 'Position',
  'GET /v2/balance/': 'Balance',
  'GET /v2/xrates/': 'ExchangeRates',
  'GET /v2/heartbeats/': 'Heartbeats',
  'POST /v2/heartbeats/': 'Heartbeat',
  'GET /v2/heartbeats/{heartbeat_id}/': 'Heartbeat',
  'DELETE /v2/heartbeats/{heartbeat_id}/': 'Nothing',
  'POST /v2/heartbeats/{heartbeat_id}/refresh/': 'Heartbeat',
  'GET /v2/events/': 'Events',
  'GET /v2/offers/': 'Offers',
  'GET /v2/sports/{sport}/bet_types/{bet_type}/': 'BetTypeInfo',
};

/** The exchange's description: answers to `GET` by path, without a key. */
export type Documents = ReadonlyMap<string, SimResponse>;

export function openApiDocuments(endpoints: readonly DescribedEndpoint[]): Documents {
  const document = openApiDocument(endpoints);
  const json = textAnswer('application/json', JSON.stringify(document));
  const yaml = textAnswer('application/yaml', toYaml(document));
  return new Map(
    ['', '/magic-api'].flatMap((prefix) => [
      [`${prefix}/v2/openapi.json`, json],
      [`${prefix}/v2/openapi.yaml`, yaml],
    ]),
  );
}

const textAnswer = (contentType: string, body: string): SimResponse => ({
  status: 200,
  headers: { 'content-type': contentType },
  body,
});

/** The OpenAPI 3.1 document. */
export function openApiDocument(endpoints: readonly DescribedEndpoint[]): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Exchange Trading API', version: '0.1.0', description: DESCRIPTION },
    servers: [{ url: '/' }, { url: '/magic-api' }],
    security: [{ apiKey: [] }],
    paths: { ...pathsOf(endpoints), '/v2/stream': STREAM },
    components: {
      schemas: { ...resourceComponents(), ...ERROR_COMPONENTS },
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    },
  };
}

const DESCRIPTION = 'A simulated exchange. Prices, accounts and money are not real.';

const STREAM = {
  get: {
    operationId: 'get_stream',
    summary: 'WebSocket stream; every server frame is a StreamFrame',
    security: [],
    parameters: [
      { name: 'api_key', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'lang', in: 'query', schema: { type: 'string', enum: ['en', 'ko', 'zh-hans'], default: 'en' } },
    ],
    responses: {
      '101': { description: 'The stream follows' },
      '400': { description: 'missing_credentials or invalid_lang', content: { 'text/plain': {} } },
      '401': { description: 'auth_rejected', content: { 'text/plain': {} } },
      '503': { description: 'unavailable', content: { 'text/plain': {} } },
    },
  },
};

function pathsOf(endpoints: readonly DescribedEndpoint[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint);
  }
  return paths;
}

function operationOf(endpoint: DescribedEndpoint): Json {
  const parameters = [...pathParameters(endpoint.path), ...queryParameters(endpoint.query)];
  const body = endpoint.body === null ? {} : { requestBody: requestBody(endpoint.path, endpoint.body) };
  return {
    operationId: operationIdOf(endpoint),
    summary: endpoint.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...body,
    responses: {
      [endpoint.status]: success(endpoint),
      ...commonErrors(endpoint.marketData),
      ...errorsOf(endpoint.method, endpoint.path),
    },
  };
}

/** The body of `close_all` is optional: without it everything is closed. All other bodies are required. */
function requestBody(path: string, schema: z.ZodType): Json {
  return { ...jsonContent('body', schemaOf(schema)), required: path !== '/v2/orders/close_all/' };
}

/** `get_orders`, `post_orders_by_order_id_close`: generated clients name their methods after this id. */
function operationIdOf({ method, path }: DescribedEndpoint): string {
  const steps = path.replace('/v2/', '').split('/').filter(Boolean);
  return [method.toLowerCase(), ...steps.map((step) => step.replace(/\{(\w+)\}/, 'by_$1'))].join('_');
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | null): Json[] {
  if (query === null) return [];
  const { properties, required } = schemaOf(query) as { properties?: Json; required?: readonly string[] };
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required?.includes(name) ?? false,
    schema,
  }));
}

function success({ method, path, summary }: DescribedEndpoint): Json {
  const resource = ANSWERS[`${method} ${path}`] ?? 'Nothing';
  const data = { $ref: `#/components/schemas/${resource}` };
  const envelope = {
    type: 'object',
    properties: { status: { const: 'ok' }, data },
    required: ['status', 'data'],
    additionalProperties: false,
  };
  return jsonContent(summary, envelope);
}

const jsonContent = (description: string, schema: Json): Json => ({
  description,
  content: { 'application/json': { schema } },
});

/** The JSON Schema of what a client sends, before it is parsed. */
function schemaOf(schema: z.ZodType): Json {
  return bare(z.toJSONSchema(schema, { io: 'input' }));
}

/** The schema without `$schema` and `$id`, which only a whole document has. */
function bare({ $schema: _schema, $id: _id, ...rest }: Json): Json {
  return rest;
}

/** Every named shape once; shapes refer to each other by name. */
function resourceComponents(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...RESOURCES, StreamFrame: streamFrame })) {
    registry.add(schema, { id });
  }
  const uri = (id: string): string => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { uri, io: 'input' });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, bare(schema)]));
}
