# The same, but a step ends where the hulls begin and cease to touch: a dynamic event.
exec(open("RUN_meet/input.py").read())

vehicles.fender.watch[0].a = "target.hull"
vehicles.fender.watch[0].b = "chaser.hull"
