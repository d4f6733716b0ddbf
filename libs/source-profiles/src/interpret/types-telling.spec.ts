import { PROFILES, profileOf } from '../profiles/known-profiles';
import { TOLD, type Told } from '../profile';
import { typesTelling } from './types-telling';

const of = (tool: string, ...told: Told[]) => {
  const profile = profileOf(tool);
  if (!profile) throw new Error(tool);
  return typesTelling(profile, told);
};

describe('the types that tell a fact', () => {
  it('are those that the conditions of the profile name, at whatever depth the type stands', () => {
    expect(of('instantly', 'sent')).toEqual({ types: ['email_sent'], anyType: false });
    expect(of('outreach', 'sent')).toEqual({ types: ['mailing.delivered'], anyType: false });
  });

  it('are those of the route where the fact itself asks for nothing', () => {
    expect(of('smartlead', 'responded')).toEqual({ types: ['EMAIL_REPLY', 'EMAIL_REPLIED'], anyType: false });
  });

  it('may be any where something else than the type decides', () => {
    expect(of('salesloft', 'bounced')).toEqual({ types: [], anyType: true });
  });

  it('are known of every tool that delivers, and none of a tool that does not', () => {
    for (const profile of PROFILES) {
      const { types, anyType } = typesTelling(profile, TOLD);
      expect([profile.tool, types.length > 0 || anyType]).toEqual([
        profile.tool,
        profile.webhook !== undefined,
      ]);
    }
  });
});
