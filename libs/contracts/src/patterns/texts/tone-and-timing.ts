import type { PatternText } from './pattern-text';

export const TONE_AND_TIMING: Readonly<Record<string, PatternText>> = {
  'TA-1': {
    description: [
      'A <b>direct</b> message says early what it wants and why. There is little small talk, and the reader knows after two lines whether it concerns them.',
      'Directness saves the reader time, which busy people tend to like. It can also feel abrupt, above all in a first message to someone who has never heard of you.',
    ],
    more: 'Write more of your messages in a <b>direct</b> tone: state the reason and the request in the first two lines.',
    less: 'Soften the <b>direct</b> tone: give the reader a reason to care before you ask for something.',
  },
  'TA-2': {
    description: [
      'A <b>conversational</b> message reads like something you would say aloud: short sentences, everyday words, one thought after the other.',
      'It lowers the bar for an answer, because a casual line invites a casual line back. Where readers expect formality it may look careless.',
    ],
    more: 'Write more of your messages in a <b>conversational</b> tone, as if you were speaking to one person.',
    less: 'Use the <b>conversational</b> tone less: these readers seem to want something more composed.',
  },
  'TA-3': {
    description: [
      'A <b>professional</b> message keeps a businesslike distance: full sentences, correct titles, no jokes.',
      'It signals that you take the reader and the matter seriously. The same distance can make a message easy to put aside, since it resembles so many others.',
    ],
    more: 'Write more of your messages in a <b>professional</b> tone: complete sentences, a clear structure, no slang.',
    less: 'Loosen the <b>professional</b> tone: shorter sentences and plainer words may get you more answers.',
  },
  'TA-4': {
    description: [
      'An <b>empathetic</b> message begins with the situation of the reader: their workload, their goals, what is probably hard for them at the moment.',
      'It works when the guess about their situation is right. When it is wrong, or sounds rehearsed, sympathy turns into a sales trick that people notice.',
    ],
    more: 'Write more of your messages in an <b>empathetic</b> tone: open with what the reader is dealing with.',
    less: 'Use the <b>empathetic</b> tone less: say what you offer instead of how the reader must feel.',
  },
  'TA-5': {
    description: [
      'A <b>questioning</b> message is built around what you would like to know. It asks instead of telling, and usually ends on a question mark.',
      'A good question is easy to answer and shows interest. Several of them in a row feel like a form to fill in.',
    ],
    more: 'Write more of your messages in a <b>questioning</b> tone, with one question that takes little effort to answer.',
    less: 'Ask less: the <b>questioning</b> tone seems to cost you replies, so try making a statement.',
  },
  'DOW-1': {
    description: [
      'This pattern looks at messages that were sent on a <b>Monday</b>, by the clock of the sender.',
      'On Mondays people plan their week and clear what piled up over the weekend. Your message is either part of the plan or part of the pile.',
    ],
    more: 'Send more of your messages on <b>Monday</b>.',
    less: 'Move messages away from <b>Monday</b>.',
  },
  'DOW-2': {
    description: [
      'This pattern looks at messages that were sent on a <b>Tuesday</b>, by the clock of the sender.',
      'By Tuesday the weekend backlog is usually gone and the week is still open. Many senders know this, so inboxes can be crowded.',
    ],
    more: 'Send more of your messages on <b>Tuesday</b>.',
    less: 'Move messages away from <b>Tuesday</b>.',
  },
  'DOW-3': {
    description: [
      'This pattern looks at messages that were sent on a <b>Wednesday</b>, by the clock of the sender.',
      'The middle of the week is full of meetings in many companies. Short messages that can be answered between two of them have the better chance.',
    ],
    more: 'Send more of your messages on <b>Wednesday</b>.',
    less: 'Move messages away from <b>Wednesday</b>.',
  },
  'DOW-4': {
    description: [
      'This pattern looks at messages that were sent on a <b>Thursday</b>, by the clock of the sender.',
      'On Thursdays people often arrange the following week, which suits a request for a meeting. It leaves only one working day for the answer.',
    ],
    more: 'Send more of your messages on <b>Thursday</b>.',
    less: 'Move messages away from <b>Thursday</b>.',
  },
  'DOW-5': {
    description: [
      'This pattern looks at messages that were sent on a <b>Friday</b>, by the clock of the sender.',
      'Fridays are quieter, and a quiet inbox gives each message more attention. What is not answered before the weekend, however, is often forgotten.',
    ],
    more: 'Send more of your messages on <b>Friday</b>.',
    less: 'Move messages away from <b>Friday</b>.',
  },
  'DOW-6': {
    description: [
      'This pattern looks at messages that were sent on a <b>Saturday</b>, by the clock of the sender.',
      'Few business messages arrive on a Saturday, so yours stands out. Some readers welcome that and some resent it.',
    ],
    more: 'Send more of your messages on <b>Saturday</b>.',
    less: 'Move messages away from <b>Saturday</b>.',
    note: 'Weekend sending is rare in most companies. Check the number of messages behind this pattern before you change a habit.',
  },
  'DOW-7': {
    description: [
      'This pattern looks at messages that were sent on a <b>Sunday</b>, by the clock of the sender.',
      'Some people look through their mail on Sunday evening to prepare for the week. Others see a message on a Sunday as an intrusion.',
    ],
    more: 'Send more of your messages on <b>Sunday</b>.',
    less: 'Move messages away from <b>Sunday</b>.',
    note: 'Weekend sending is rare in most companies. Check the number of messages behind this pattern before you change a habit.',
  },
  'HOD-1': {
    description: [
      'This pattern looks at messages sent in the <b>early morning</b>, from 05:00 up to 08:00.',
      'A message that is already there when the reader starts work lies on top of the inbox. It also competes with everything else that came overnight.',
    ],
    more: 'Send more of your messages in the <b>early morning</b>, before 08:00.',
    less: 'Send fewer messages in the <b>early morning</b>; wait until people are at work.',
  },
  'HOD-2': {
    description: [
      'This pattern looks at messages sent in the <b>morning</b>, from 08:00 up to 11:00.',
      'Most people read and sort their mail in these hours. Attention is high and so is the competition for it.',
    ],
    more: 'Send more of your messages in the <b>morning</b>, between 08:00 and 11:00.',
    less: 'Send fewer messages in the <b>morning</b>; try a quieter part of the day.',
  },
  'HOD-3': {
    description: [
      'This pattern looks at messages sent <b>around midday</b>, from 11:00 up to 14:00.',
      'Before and after lunch there are short gaps in which people answer what takes a minute. Long messages rarely fit into them.',
    ],
    more: 'Send more of your messages <b>around midday</b>, between 11:00 and 14:00.',
    less: 'Send fewer messages <b>around midday</b>.',
  },
  'HOD-4': {
    description: [
      'This pattern looks at messages sent in the <b>afternoon</b>, from 14:00 up to 17:00.',
      'The afternoon is for finishing things, and small requests get done on the side. Decisions are more often left for the next day.',
    ],
    more: 'Send more of your messages in the <b>afternoon</b>, between 14:00 and 17:00.',
    less: 'Send fewer messages in the <b>afternoon</b>.',
  },
  'HOD-5': {
    description: [
      'This pattern looks at messages sent in the <b>evening or at night</b>, from 17:00 to 05:00.',
      'Outside office hours there is less traffic, and people who still read have time. Whoever does not will find your message under the morning mail.',
    ],
    more: 'Send more of your messages in the <b>evening</b>, after 17:00.',
    less: 'Send fewer messages in the <b>evening or at night</b>.',
    note: 'Hours are those of the time zone that came with the message, or of your company where none came.',
  },
};
