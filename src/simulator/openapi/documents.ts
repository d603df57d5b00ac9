import type { SimResponse } from '../core/api.ts';
import { openApiDocument } from './document.ts';
import type { DescribedEndpoint } from './endpoint.ts';
import { toYaml } from './yaml.ts';

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
