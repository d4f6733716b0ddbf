import { SAMPLE } from '../../test/sample';
import { Deprecated, deprecationOf } from './deprecated.decorator';

describe('@Deprecated', () => {
  it('marks a handler, and all handlers of a controller', () => {
    @Deprecated('whole', [{ ...SAMPLE, id: 'whole' }])
    class Controller {
      plain() {}
      @Deprecated(SAMPLE.id, [SAMPLE])
      marked() {}
    }
    class Other {
      plain() {}
    }
    const of = (type: { prototype: object }, name: string) =>
      deprecationOf((type.prototype as Record<string, object>)[name] as object, type)?.id;
    expect([of(Controller, 'marked'), of(Controller, 'plain'), of(Other, 'plain')]).toEqual([
      'patterns-v0',
      'whole',
      undefined,
    ]);
  });

  // Mutation: a notice of 89 days lets the class load.
  it.each([
    ['2027-04-10', 'loaded'],
    ['2027-04-09', 'less than 90 days'],
    ['2027-02-30', 'no calendar date'],
  ])('with an end on %s: %s', (sunsetOn, expected) => {
    const load = () => {
      class Controller {
        @Deprecated(SAMPLE.id, [{ ...SAMPLE, sunsetOn }])
        marked() {}
      }
      return Controller;
    };
    let outcome = 'loaded';
    try {
      load();
    } catch (error) {
      outcome = String(error);
    }
    expect(outcome).toContain(expected);
  });

  it('refuses an id that the catalogue does not have', () => {
    expect(() => Deprecated('nothing')).toThrow('The catalogue has no deprecation nothing.');
  });
});
