import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One run of the analysis for one company. */
@Entity('analysis_runs')
export class AnalysisRunEntity {
  @PrimaryColumn('uuid', { name: 'company_id' })
  companyId: string;

  @PrimaryColumn('uuid', { name: 'run_id' })
  runId: string;

  /** What makes a repetition harmless: the date of a daily run, or the reason of an extra one. */
  @Column('text', { name: 'run_key' })
  runKey: string;

  @Column('text')
  state: 'running' | 'succeeded' | 'failed';

  @Column('text', { name: 'engine_version' })
  engineVersion: string;

  /** Outcomes ingested up to here are in the run. */
  @Column('timestamptz', { name: 'data_as_of' })
  dataAsOf: Date;

  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;

  /** When the decisions that follow from the run were frozen; documents are published before. */
  @Column('timestamptz', { name: 'decisions_made_at', nullable: true })
  decisionsMadeAt: Date | null;

  @Column('text', { name: 'failure_code', nullable: true })
  failureCode: string | null;
}
