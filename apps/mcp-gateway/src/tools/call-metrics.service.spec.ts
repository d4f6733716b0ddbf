import { Management } from '@outcomes/platform';
import { CallMetrics } from './call-metrics.service';
import { TOOLS } from './tools.catalogue';

describe('what operators are told of tool calls', () => {
  it('is no call and no fault of every tool from the start, so that a rate can be told from the first', async () => {
    const management = new Management('metrics-test');
    new CallMetrics(management);
    const text = await management.registry.getSingleMetricAsString('mcp_tool_call_duration_seconds');
    const counted = [...text.matchAll(/_count\{.*?tool="(\w+)",result="(\w+)"\} (\d+)/g)];
    expect(counted.map(([, tool, result, count]) => [tool, result, count])).toEqual(
      TOOLS.flatMap(({ definition: { name } }) => [
        [name, 'success', '0'],
        [name, 'internal_error', '0'],
      ]),
    );
    await management.close();
  });
});
