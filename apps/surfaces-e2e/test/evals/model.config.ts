import type { ModelAddress } from './model-client';

/** The model that questions are put to as well; undefined where none is configured. */
export function configuredModel(): ModelAddress | undefined {
  const { LLM_BASE_URL: baseUrl, LLM_MODEL: model = 'default', LLM_API_KEY: apiKey } = process.env;
  return baseUrl === undefined || baseUrl === '' ? undefined : { baseUrl, model, apiKey };
}
