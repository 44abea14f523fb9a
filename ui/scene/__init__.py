"""What a state of the session comes to: nodes, each a plain function of other nodes and settings, one file a topic.

A node is a public function in a file here; what its arguments are called says what it is made from: other nodes,
settings of the RunConfig, or `scene` itself. One that takes a `monitor` may take long: on a page it runs as a job. Its
docstring begins with what is being done, up to a colon, which is what a page says meanwhile.
"""

from ui.scene.scene import AtOnce, Node, Scene, nodes

__all__ = ["AtOnce", "Node", "Scene", "nodes"]
