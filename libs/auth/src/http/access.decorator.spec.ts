import { Reflector } from '@nestjs/core';
import { accessRuleOf, ForVisitors, Guarded, Public, RequirePermission } from './access.decorator';

@RequirePermission('analytics_read')
class Decorated {
  inherits() {}

  @Public()
  open() {}

  @Guarded()
  any() {}

  @ForVisitors()
  page() {}
}

class Bare {
  forgotten() {}
}

describe('the access rule of a handler', () => {
  const rule = (type: typeof Decorated | typeof Bare, name: string) => {
    const handler = Object.getOwnPropertyDescriptor(type.prototype, name)?.value as () => void;
    return accessRuleOf(new Reflector(), [handler, type]);
  };

  it('is its own before that of its class', () => {
    expect(['inherits', 'open', 'any', 'page'].map((name) => rule(Decorated, name))).toEqual([
      'analytics_read',
      'public',
      'guarded',
      'visitor',
    ]);
  });

  // Mutation: a default of `public` opens every handler that somebody forgot.
  it('wants a credential where nobody said anything', () => {
    expect(rule(Bare, 'forgotten')).toBe('guarded');
  });
});
