import { GRAINS, JOINS, MEDIA, TOLD, TOLD_AS } from './profile';

const path = {
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', minItems: 1, maxItems: 8, items: { type: 'string', minLength: 1 } },
  ],
};
const value = { $ref: '#/$defs/value' };
const condition = { $ref: '#/$defs/condition' };

const closed = (properties: Record<string, unknown>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const operation = (op: string, more: Record<string, unknown> = {}, required: readonly string[] = []) =>
  closed({ op: { const: op }, path, ...more }, ['op', 'path', ...required]);
const test = (properties: Record<string, unknown>) => closed(properties, Object.keys(properties));

/** JSON Schema of a profile: the one form that those here and those of a caller have. */
export const PROFILE_SCHEMA = {
  $defs: {
    value: {
      type: 'object',
      required: ['op'],
      discriminator: { propertyName: 'op' },
      oneOf: [
        operation('text'),
        operation('int'),
        operation('step', { base: { enum: [0, 1] }, prefix: { type: 'string', minLength: 1 } }, ['base']),
        operation('step_id'),
        operation('time', {
          zone: { type: 'string', minLength: 1 },
          order: { enum: ['mdy', 'dmy'] },
          unit: { enum: ['s', 'ms'] },
        }),
        operation('email'),
        operation('bool'),
        operation('map', { values: { type: 'object', additionalProperties: { type: 'string' } } }, [
          'values',
        ]),
        closed({ op: { const: 'const' }, value: { type: ['string', 'number'] } }, ['op', 'value']),
        closed({ op: { const: 'first' }, of: { type: 'array', minItems: 1, items: value } }, ['op', 'of']),
      ],
    },
    condition: {
      type: 'object',
      anyOf: [
        test({ present: path }),
        test({ in: path, values: { type: 'array', minItems: 1, items: { type: 'string' } } }),
        test({ true: path }),
        test({ positive: path }),
        test({ all: { type: 'array', items: condition } }),
        test({ any: { type: 'array', items: condition } }),
        test({ not: condition }),
      ],
    },
    message: closed(
      {
        ...Object.fromEntries(
          [
            'channel',
            'email',
            'recipient',
            'campaign',
            'step',
            'ref',
            'conversation',
            'sent_at',
            'subject',
            'position',
            'industry',
            'variant',
          ].map((name) => [name, value]),
        ),
        joins: { enum: JOINS },
      },
      ['joins'],
    ),
    fact: closed(
      {
        tells: { enum: TOLD },
        as: { enum: TOLD_AS },
        when: condition,
        at: value,
        at_is: { enum: ['exact', 'not_before', 'not_after'] },
        once: { type: 'array', minItems: 1, items: value },
      },
      ['tells'],
    ),
    route: closed(
      {
        name: { type: 'string', minLength: 1 },
        media: { type: 'array', minItems: 1, items: { enum: MEDIA } },
        grain: { enum: GRAINS },
        detect: {
          anyOf: [
            test({ columns: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } } }),
            test({ when: condition }),
          ],
        },
        unverified: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
        instead: { type: 'string', minLength: 1 },
        skip: {
          type: 'array',
          items: test({ when: condition, as: { type: 'string', pattern: '^[a-z_]+$' } }),
        },
        event_id: value,
        message: { $ref: '#/$defs/message' },
        facts: { type: 'array', minItems: 1, items: { $ref: '#/$defs/fact' } },
        last_message: closed({ sent_at: value, step: value }, ['sent_at', 'step']),
        type: value,
      },
      ['name', 'media', 'grain', 'detect'],
    ),
  },
  ...closed(
    {
      tool: { type: 'string', pattern: '^[a-z][a-z0-9]{1,31}$' },
      title: { type: 'string', minLength: 1 },
      status: { enum: ['documented', 'draft'] },
      documentation: { type: 'array', items: { type: 'string', pattern: '^https://' } },
      webhook: closed(
        {
          authentication: { enum: ['path', 'header', 'hmac-sha256-hex', 'hmac-sha1-hex'] },
          header: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
        },
        ['authentication'],
      ),
      routes: { type: 'array', minItems: 1, items: { $ref: '#/$defs/route' } },
    },
    ['tool', 'title', 'status', 'documentation', 'routes'],
  ),
} as const;
