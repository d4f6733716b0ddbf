import { createHash } from 'node:crypto';
import { type Channel, DAY_MS, type Position, stepBucketOf } from '@outcomes/contracts';
import type { CampaignRecord, DecisionInputs, DecisionResult } from '@outcomes/statistics';
import { candidatesFor, stepFeatures, type FrozenModel } from './decision-model';

export type ContactState = 'open' | 'replied' | 'unsubscribed' | 'bounced';

/** A contact at the moment of a decision: the newest message, and how things stand after all of them. */
export interface DecisionPoint {
  readonly touchId: string;
  readonly contactId: string;
  /** null where the address identifies nobody. */
  readonly recipientHash: string | null;
  readonly threadId: string;
  readonly campaignId: string | null;
  readonly state: ContactState;
  readonly channel: Channel;
  readonly step: number;
  readonly position: Position;
  readonly sentAt: Date;
}

/** What a decision's id is made of: none of it can change without the id. */
export interface DecisionIdentity {
  readonly companyId: string;
  readonly contactId: string;
  readonly threadId: string;
  readonly campaignId: string | null;
  readonly touchId: string;
  readonly state: ContactState;
  readonly decidedAt: Date;
  readonly engineVersion: string;
  /** SHA-256, hexadecimal. */
  readonly modelSha256: string;
  readonly inputs: string;
}

/** What is known of a contact's campaign on a channel; undefined where campaigns are alike. */
export type CampaignLookup = (channel: Channel, campaignId: string | null) => CampaignRecord | undefined;

/** One row of workflow_decisions. */
export interface FrozenRow extends DecisionIdentity {
  readonly decisionId: string;
  readonly recipientHash: string | null;
  readonly result: string;
}

export interface StoredModel {
  readonly model: FrozenModel;
  readonly body: string;
  readonly sha256: string;
}

export function storedModel(model: FrozenModel): StoredModel {
  const body = JSON.stringify(model);
  return { model, body, sha256: sha256(body) };
}

/**
 * Decides about one contact and freezes the decision. The seed comes from what identifies the moment, so that it is
 * nobody's choice and a repetition draws the same.
 */
export function freezeDecision(
  companyId: string,
  { model, sha256: modelSha256 }: StoredModel,
  decide: (inputs: DecisionInputs) => DecisionResult,
  campaignOf: CampaignLookup,
  point: DecisionPoint,
): FrozenRow {
  const decidedAt = new Date(model.data_as_of);
  const { contactId, threadId, campaignId, touchId, state } = point;
  const moment = sha256(JSON.stringify([companyId, contactId, touchId, state, model.data_as_of]));
  const inputs: DecisionInputs = {
    seed: Number.parseInt(moment.slice(0, 8), 16),
    ended: state === 'open' ? null : state,
    currentChannel: point.channel,
    currentStep: point.step,
    daysSinceLastTouch: Math.floor((decidedAt.getTime() - point.sentAt.getTime()) / DAY_MS),
    position: point.position,
    features: model.contact === null ? [] : stepFeatures(stepBucketOf(point.step + 1)),
    candidates: candidatesFor(model, point.position, point.channel, (channel) =>
      campaignOf(channel, campaignId),
    ),
  };
  const identity: DecisionIdentity = {
    companyId,
    contactId,
    threadId,
    campaignId,
    touchId,
    state,
    decidedAt,
    engineVersion: model.engine_version,
    modelSha256,
    inputs: JSON.stringify(inputs),
  };
  return {
    ...identity,
    decisionId: decisionIdOf(identity),
    recipientHash: point.recipientHash,
    result: JSON.stringify(decide(inputs)),
  };
}

/** A UUID of version 8 (RFC 9562) from the SHA-256 of everything that a decision rests on. */
export function decisionIdOf(identity: DecisionIdentity): string {
  const hex = sha256(
    JSON.stringify([
      identity.companyId,
      identity.contactId,
      identity.threadId,
      identity.campaignId,
      identity.touchId,
      identity.state,
      identity.decidedAt.toISOString(),
      identity.engineVersion,
      identity.modelSha256,
      identity.inputs,
    ]),
  );
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
