# Two vehicles meet. Run in SIM_vehicles: ./S_main_*.exe RUN_meet/input.py
exec(open("Modified_data/vehicles.dr").read())

vehicles_loop.getIntegrator(trick.Runge_Kutta_4, 27)  # 13 for each body, and the time
vehicles.fender.scenario = "vehicles.yaml"

trick.stop(10.0)
