import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { Status } from '../../status/status.tsx'
import { countOf } from '../../ui/text/words.ts'

type StepData = {
  name: string
  title: string
  isTrigger: boolean
  branches: string[]
  faultCount: number
  state: string | undefined
  isReadOnly: boolean
}
export type StepNode = Node<StepData, 'step'>

export const StepBox = memo(function StepBox({ data, selected }: NodeProps<StepNode>) {
  const { name, title, isTrigger, branches, faultCount, state, isReadOnly } = data
  const kinds = [isTrigger && 'box-trigger', selected && 'box-selected', faultCount > 0 && 'box-faulty'].filter(Boolean)
  return (
    <div className={`box ${kinds.join(' ')}`}>
      {!isTrigger && <Handle type="target" position={Position.Top} isConnectable={!isReadOnly} />}
      <span className="box-name">{name}</span>
      <span className="box-note small">
        {state ? (
          <Status of={state} />
        ) : faultCount > 0 ? (
          <span className="step-faults">{countOf(faultCount, 'fault')}</span>
        ) : (
          name !== title && <span className="muted">{title}</span>
        )}
      </span>
      {branches.length === 0 ? (
        <Handle type="source" position={Position.Bottom} isConnectable={!isReadOnly} />
      ) : (
        branches.map((branch) => (
          <Handle
            key={branch}
            id={branch}
            type="source"
            position={Position.Bottom}
            className={`handle-${branch}`}
            isConnectable={!isReadOnly}
          />
        ))
      )}
    </div>
  )
})
